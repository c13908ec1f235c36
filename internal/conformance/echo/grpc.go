package echo

import (
	"context"
	"crypto/tls"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	pb "sigs.k8s.io/gateway-api-conformance-images/echo-basic/grpcechoserver"
)

// serveGRPC serves the suite's gRPC service, with TLS or without.
func (p *pod) serveGRPC(secure bool) func(net.Listener) {
	var options []grpc.ServerOption
	if secure {
		options = append(options, grpc.Creds(credentials.NewTLS(p.tlsConfig("h2"))))
	}
	server := grpc.NewServer(options...)
	pb.RegisterGrpcEchoServer(server, &service{pod: p})
	return func(listener net.Listener) { server.Serve(listener) }
}

// service is the suite's service. Its method EchoThree is not implemented on purpose.
type service struct {
	pb.UnimplementedGrpcEchoServer
	pod *pod
}

func (s *service) Echo(ctx context.Context, in *pb.EchoRequest) (*pb.EchoResponse, error) {
	return s.echo(ctx, in)
}

func (s *service) EchoTwo(ctx context.Context, in *pb.EchoRequest) (*pb.EchoResponse, error) {
	return s.echo(ctx, in)
}

func (s *service) echo(ctx context.Context, in *pb.EchoRequest) (*pb.EchoResponse, error) {
	method, _ := grpc.Method(ctx)
	out := &pb.Assertions{
		FullyQualifiedMethod: method,
		Context:              &pb.Context{Namespace: s.pod.Namespace, Pod: s.pod.Name},
	}
	received, _ := metadata.FromIncomingContext(ctx)
	for name, values := range received {
		for _, value := range values {
			if name == ":authority" {
				out.Authority = value
			}
			out.Headers = append(out.Headers, &pb.Header{Key: name, Value: value})
		}
	}
	if p, ok := peer.FromContext(ctx); ok {
		if info, ok := p.AuthInfo.(credentials.TLSInfo); ok {
			out.TlsAssertions = &pb.TLSAssertions{
				Version: tls.VersionName(info.State.Version), ServerName: info.State.ServerName, NegotiatedProtocol: info.State.NegotiatedProtocol,
				CipherSuite: tls.CipherSuiteName(info.State.CipherSuite), PeerCertificates: certificates(info.State.PeerCertificates),
			}
		}
	}
	return &pb.EchoResponse{Assertions: out, Request: in}, nil
}
